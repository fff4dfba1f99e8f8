import { formatChangesAsCsv } from './csvRows.ts';
import { dnsControl } from './dnsControl.ts';
import { asComments, type FileFormat } from './fileFormat.ts';
import { nsupdate } from './nsupdate.ts';
import { octoDns } from './octoDns.ts';
import {
  type CheckedRecord,
  describeAccepted,
  findRecordChanges,
  type RecordChange,
  type RecordChanges,
} from './recordChanges.ts';
import { formatFound, formatLine, type RecordData } from './recordData.ts';
import { terraform } from './terraform.ts';
import { zoneText } from './zoneText.ts';

type RecordFile = { label: string; extension: string; format: (changes: RecordChanges) => string };

const textFile = (label: string, extension: string, format: FileFormat): RecordFile => ({
  label,
  extension,
  format: (changes) => formatText(format, changes),
});

/** The files that the console and `dns-check --fixes` write. */
export const RECORD_FILES = {
  zone: textFile('Zone file', 'zone', zoneText),
  nsupdate: textFile('nsupdate', 'nsupdate', nsupdate),
  dnscontrol: textFile('DNSControl', 'js', dnsControl),
  octodns: textFile('octoDNS', 'yaml', octoDns),
  terraform: textFile('Terraform', 'tf', terraform),
  csv: { label: 'CSV', extension: 'csv', format: formatChangesAsCsv },
} satisfies Record<string, RecordFile>;
export type RecordFileKind = keyof typeof RECORD_FILES;

/** A file with only what must change. What can't be in it safely is a comment with the reason. */
export function writeRecordFile(kind: RecordFileKind, checked: readonly CheckedRecord[]): string {
  return RECORD_FILES[kind].format(findRecordChanges(checked));
}

function formatText(format: FileFormat, { changes, notes, accepted }: RecordChanges): string {
  const judged = changes.map((change) => ({ change, reason: change.byHand ?? format.refuse(change, changes) }));
  const written = judged.flatMap(({ change, reason }) => (reason === null ? change : []));
  const byHand = judged.flatMap(({ change, reason }) => (reason === null ? [] : describeByHand(change, reason)));
  const leftovers = format.deletes ? [] : written.flatMap(({ misplaced }) => misplaced.map(describeDeletion));
  const others = notes.map(({ title, text }) => `${title}: ${text}`);
  const rest = [...byHand, ...leftovers, ...others];
  const summary = changes.length + notes.length === 0 ? ['Nothing has to change.'] : [];
  return [
    ...asComments(format.comment, written.length === 0 ? summary : format.usage),
    ...asComments(format.comment, describeAccepted(accepted)),
    ...format.write(written),
    ...asComments(format.comment, rest.length === 0 ? [] : ['Not in this file:', ...rest]),
    '',
  ].join('\n');
}

function describeByHand({ record, todo, removed }: RecordChange, reason: string): string[] {
  const there = removed.map((one) => `There now: ${one.type} ${formatFound(one)}`);
  return [`${todo} ${reason}`, ...there, formatLine(record)];
}

function describeDeletion(record: RecordData): string {
  return `Delete: ${formatLine(record)}`;
}
