import type { ResponsibleParty } from '#contract/dnsCheck.ts';
import { type Code, resultOf } from '../server/dns/catalogue/catalogue.ts';
import { dkim } from '../server/dns/catalogue/dkim.ts';
import { dmarc } from '../server/dns/catalogue/dmarc.ts';
import type { CatalogueEntry } from '../server/dns/catalogue/catalogueEntry.ts';
import { mx } from '../server/dns/catalogue/mx.ts';
import { placement } from '../server/dns/catalogue/placement.ts';
import { servers } from '../server/dns/catalogue/servers.ts';
import { spf } from '../server/dns/catalogue/spf.ts';
import { text } from '../server/dns/catalogue/text.ts';

const SECTIONS = {
  'Where a record is, and what is there instead': placement,
  'How a text was spoilt': text,
  MX: mx,
  SPF: spf,
  DKIM: dkim,
  DMARC: dmarc,
  'Name servers, resolvers and what they remember': servers,
};

/** The contents of docs/dns-codes.md: all codes with their results and responsible parties. */
export function codesPage(): string {
  const sections = Object.entries(SECTIONS).map(([title, entries]) => {
    const rows = Object.entries(entries as Record<string, CatalogueEntry<never>>).map(([code, { turn, todo }]) => {
      const results = (['record', 'advice'] as const).map((role) => resultOf(code as Code, role));
      const cells = [...results, turnIn(turn), todo ? 'yes' : ''];
      return `| \`${code}\` | ${cells.join(' | ')} |`;
    });
    return [`## ${title}`, '', '| code | record | advice | turn | to type |', '|---|---|---|---|---|', ...rows].join(
      '\n',
    );
  });
  return [
    '# The codes of the DNS check',
    '',
    'Printed from `server/dns/catalogue/` by `npm run codes`. A code stays the same; its sentence may change. "Turn" is who has to act next: the one or the',
    'other where it depends on who can change the record. "To type" is where a value may be offered, which is left out where none is safe.',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}

function turnIn(turn: ResponsibleParty | null | ((facts: never) => ResponsibleParty | null)): string {
  return typeof turn === 'function' ? 'depends' : (turn ?? '');
}
