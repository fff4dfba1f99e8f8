import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { type Code, resultOf } from '../server/dns/catalogue/catalogue.ts';
import { dkim } from '../server/dns/catalogue/dkim.ts';
import { dmarc } from '../server/dns/catalogue/dmarc.ts';
import type { CatalogueEntry } from '../server/dns/catalogue/catalogueEntry.ts';
import { incoming } from '../server/dns/catalogue/incoming.ts';
import { mx } from '../server/dns/catalogue/mx.ts';
import { placement } from '../server/dns/catalogue/placement.ts';
import { sender, watched } from '../server/dns/catalogue/sender.ts';
import { servers } from '../server/dns/catalogue/servers.ts';
import { spf } from '../server/dns/catalogue/spf.ts';
import { text } from '../server/dns/catalogue/text.ts';

const SECTIONS = {
  Placement: placement,
  'Corrupted texts': text,
  MX: mx,
  SPF: spf,
  DKIM: dkim,
  DMARC: dmarc,
  'Name servers and resolvers': servers,
  'Sender domains': sender,
  Watched: watched,
  'Incoming mail (with `--advice`)': incoming,
};

/** The contents of docs/dns-codes.md: all codes with their results and responsible parties. */
export function codesPage(): string {
  const sections = Object.entries(SECTIONS).map(([title, entries]) => {
    const rows = Object.entries(entries as Record<string, CatalogueEntry<never>>).map(([code, { turn, todo }]) => {
      const cells = [resultOf(code as Code, 'record'), turnIn(turn), todo ? 'yes' : ''];
      return `| \`${code}\` | ${cells.join(' | ')} |`;
    });
    return [`## ${title}`, '', '| code | result | turn | offer |', '|---|---|---|---|', ...rows].join('\n');
  });
  return [
    '# The codes of the DNS check',
    '',
    'Printed by `npm run codes`. Codes are stable; their texts may change. The result is that of a record. Advice is `fail` only where a receiver refuses mail for it, otherwise `warn`; what is watched is always `ok` or `unknown`. "Turn": who has to act next.',
    '"Offer": whether the check may offer a value to publish.',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}

function turnIn(turn: ResponsibleParty | null | ((facts: never) => ResponsibleParty | null)): string {
  return typeof turn === 'function' ? 'depends' : (turn ?? '');
}
