import { asComments, type FileFormat, NO_ZONE, type RecordSet, toRecordSets } from './fileFormat.ts';
import { escapeTxt, hostOf, type RecordData, targetOf } from './recordData.ts';

/** https://registry.terraform.io/providers/hashicorp/dns: the one that isn't a DNS host's own. */
export const terraform: FileFormat = {
  comment: '#',
  usage: [
    'For Terraform 1.5 or later with the provider hashicorp/dns, which updates name servers by RFC 2136.',
    'Each resource has all values of its name and type. An import block takes over what is published.',
  ],
  refuse: ({ zone, isKnown, record, removed }) => {
    if (zone === null) return NO_ZONE;
    if (!(record.type in ARGUMENTS)) return `The provider has no resource for ${record.type}.`;
    if (!isKnown) return "What else is there isn't known exactly, and a resource has all values.";
    // It would delete the text cut every 255 bytes, which is another record.
    if (removed.some(({ strings }) => strings !== undefined))
      return "The provider can't delete a text in such strings.";
    const others = removed.filter(({ type }) => type !== record.type);
    return others.length > 0 ? 'Delete the records of other types at this name first.' : null;
  },
  write: (changes) => {
    const taken = new Set<string>();
    return toRecordSets(changes).flatMap((set, index) => [...(index === 0 ? [] : ['']), ...blocksOf(set, taken)]);
  },
};

const ARGUMENTS: Record<string, { resource: string; values: (set: RecordSet) => string[] }> = {
  A: { resource: 'dns_a_record_set', values: ({ after }) => list('addresses', after, ({ value }) => value) },
  AAAA: { resource: 'dns_aaaa_record_set', values: ({ after }) => list('addresses', after, ({ value }) => value) },
  CNAME: {
    resource: 'dns_cname_record',
    values: ({ after }) => after.map((one) => `  cname = ${quote(targetOf(one) ?? '')}`),
  },
  MX: { resource: 'dns_mx_record_set', values: ({ after }) => after.flatMap(mxBlock) },
  NS: {
    resource: 'dns_ns_record_set',
    values: ({ after }) => list('nameservers', after, (one) => targetOf(one) ?? ''),
  },
  // The provider puts the text between quotes and reads that as zone-file syntax.
  TXT: { resource: 'dns_txt_record_set', values: ({ after }) => list('txt', after, ({ value }) => escapeTxt(value)) },
};

function blocksOf(set: RecordSet, taken: Set<string>): string[] {
  const { zone, name, ttl, before, todos, type } = set;
  const { resource = '', values = () => [] } = ARGUMENTS[type] ?? {};
  const label = labelOf(set, taken);
  // As `terraform fmt` aligns lines that follow each other.
  const width = type === 'CNAME' ? 5 : 4;
  const adopted = [`import {`, `  to = ${resource}.${label}`, `  id = ${quote(`${name}.`)}`, '}', ''];
  return [
    ...asComments('#', todos),
    ...(before.length === 0 ? [] : adopted),
    `resource ${quote(resource)} ${quote(label)} {`,
    `  ${'zone'.padEnd(width)} = ${quote(`${zone}.`)}`,
    ...(name === zone ? [] : [`  ${'name'.padEnd(width)} = ${quote(hostOf(name, zone, ''))}`]),
    `  ${'ttl'.padEnd(width)} = ${ttl}`,
    ...values(set),
    '}',
  ];
}

/** An identifier, each once: letters, digits, `_` and `-`, not first a digit or `-`. */
function labelOf({ name, type }: RecordSet, taken: Set<string>): string {
  const plain = `${name.replaceAll('.', '_').replaceAll('*', 'any')}_${type.toLowerCase()}`.replace(/^(?=[\d-])/, '_');
  let label = plain;
  for (let count = 2; taken.has(label); count++) label = `${plain}_${count}`;
  taken.add(label);
  return label;
}

function list(argument: string, records: readonly RecordData[], valueOf: (one: RecordData) => string): string[] {
  return [`  ${argument} = [`, ...records.map((one) => `    ${quote(valueOf(one))},`), '  ]'];
}

function mxBlock(one: RecordData): string[] {
  const { priority } = one;
  return ['  mx {', `    preference = ${priority}`, `    exchange   = ${quote(targetOf(one) ?? '')}`, '  }'];
}

/** `${` and `%{` begin a template, also the macros of SPF (https://developer.hashicorp.com/terraform/language/expressions/strings). */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/[$%](?=\{)/g, '$&$&');
}
