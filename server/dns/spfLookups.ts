import { dnsName } from '#contract/dnsName.ts';
import type { Reply } from './asker.ts';
import { usable } from './authorities.ts';
import { isSpf, spfWords } from './spf.ts';

const LOOKUPS_MAX = 10;
const VOID_MAX = 2;

type SpfFault = { code: 'SPF_TOO_MANY_LOOKUPS' | 'SPF_VOID_LOOKUPS' | 'SPF_LOOP'; detail: string };

/** What receivers would find when they follow an SPF record (RFC 7208, section 4.6.4); null when that is within limits. */
export async function spfFault(
  texts: readonly string[],
  name: string,
  ask: (name: string, type: 'TXT' | 'A' | 'MX') => Promise<Reply | null>,
): Promise<SpfFault | null> {
  const costly: string[] = [];
  const missing: string[] = [];

  const follow = async (record: string, at: string, way: readonly string[]): Promise<SpfFault | null> => {
    for (const word of spfWords(record)) {
      const [, kind = '', value = ''] =
        /^[+\-~?]?(include|a|mx|ptr|exists|redirect)(?:[:=]([^/]*))?(?:\/.*)?$/i.exec(word) ?? [];
      if (kind === '') continue;
      costly.push(word);
      if (costly.length > LOOKUPS_MAX) return { code: 'SPF_TOO_MANY_LOOKUPS', detail: costly.join(', ') };
      // A name with a macro depends on the message.
      const target = dnsName(value || at);
      if (target === null || /^(ptr|exists)$/i.test(kind)) continue;
      const isInclude = /^(include|redirect)$/i.test(kind);
      if (isInclude && (target === at || way.includes(target))) return { code: 'SPF_LOOP', detail: target };
      const reply = await ask(target, isInclude ? 'TXT' : /^mx$/i.test(kind) ? 'MX' : 'A');
      const message = reply && usable(reply);
      if (message === null) continue;
      if (message.answers.length === 0) missing.push(target);
      if (missing.length > VOID_MAX) return { code: 'SPF_VOID_LOOKUPS', detail: missing.join(', ') };
      const included = message.answers.find((data) => data.type === 'TXT' && isSpf(data.value));
      if (!isInclude || included === undefined) continue;
      const fault = await follow(included.value, target, [...way, at]);
      if (fault !== null) return fault;
    }
    return null;
  };
  return follow(texts.find(isSpf) ?? '', name, []);
}
