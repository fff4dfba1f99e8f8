import { formatUtc } from '../../ui/format/sentenceTime.ts';
import { parseTime } from '../../ui/format/time.ts';

/** The note for the DNS person, with the link at its end. Without a note: what the link is. */
export function addLinkToNote(note: string | null, domain: string, link: string, expiresAt: string | null): string {
  const end = parseTime(expiresAt);
  const until = end === null ? '' : ` (until ${formatUtc(end)}, without signing in)`;
  return `${note ?? `DNS of ${domain}\n`}
What to enter, and whether it's right now${until}:
${link}
`;
}
