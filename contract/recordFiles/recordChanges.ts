import type { Finding } from '#contract/domains/dnsCheck.ts';
import { isWithin, normalizeDnsName } from '#contract/values/dnsName.ts';
import { foldValue, readPublished, type PublishedRecords } from './publishedRecords.ts';
import { formatData, formatFound, isSameRecord, normalizeOwner, type RecordData } from './recordData.ts';
import { compareKind, findSingletonKind } from './recordKinds.ts';

/** A finding about a record, or a piece of advice. `title`: what it's about, like `TXT mail.example.com`. */
export type CheckedRecord = {
  title: string;
  /** The sending domain. */
  domain: string;
  kind: 'record' | 'advice';
  /** Whether its fault is accepted, so that nothing has to change for now. */
  isAccepted: boolean;
  finding: Pick<Finding, 'result' | 'code' | 'diagnosis' | 'zone' | 'found' | 'evidence' | 'fix' | 'expected'>;
};

/** A record to publish, and what has to go for it. Names are normalized. */
export type RecordChange = {
  record: RecordData;
  domain: string;
  /** Null if unknown. */
  zone: string | null;
  /** Seconds: as published, or an hour. */
  ttl: number;
  todo: string;
  /** What is published with the same name and type. */
  published: readonly RecordData[];
  /** Whether `published` is all there is, exactly. */
  isKnown: boolean;
  /** To delete at the same name. */
  removed: readonly RecordData[];
  /** To delete at a wrong name. */
  misplaced: readonly RecordData[];
  /** Why only a person can do this; null if a file can. */
  byHand: string | null;
};

/** What has to change without a record to enter, or isn't known. */
export type RecordNote = { title: string; text: string };

/** `accepted`: the number of faults that are left out. */
export type RecordChanges = { changes: readonly RecordChange[]; notes: readonly RecordNote[]; accepted: number };

/** Seconds. */
const TTL = 3600;

/** Not a matter of records in the zone, or of one zone. */
const ELSEWHERE = new Set(['PROXIED_CLOUDFLARE', 'DNS_HOSTS_DIFFER', 'PRIMARY_WRONG', 'EDITED_AT_WRONG_HOST']);
/** The wrong record is another text at the same name. */
const CORRUPTED = /^(QUOTES_IN_VALUE|SPACES_\w+|SPACE_LOST_AT_SPLIT|VALUE_CUT|STRINGS_SWAPPED|SPOILT_CHARACTERS)$/;
/** The record was created at a name that nothing else uses, or where it does harm. */
const MISPLACED = new Set(['NAME_DOUBLED', 'UNDERSCORE_LOST', 'UNDERSCORE_DOUBLED', 'MX_AT_DOMAIN']);

/** Only what must change: a record that is right or spreads is left out. */
export function findRecordChanges(checked: readonly CheckedRecord[]): RecordChanges {
  const changes: RecordChange[] = [];
  const notes: RecordNote[] = [];
  let accepted = 0;
  for (const one of checked) {
    const { kind, finding, domain, isAccepted } = one;
    const { result, fix, diagnosis } = finding;
    if (result === 'ok' || result === 'pending') continue;
    if (isAccepted) {
      accepted++;
      continue;
    }
    const there = readPublished(finding);
    const record = fix === null ? null : toRecord(fix, there.records);
    if (record !== null) {
      if (changes.some((earlier) => isSameRecord(earlier.record, record))) continue;
      changes.push(toChange({ ...one, record, there, others: checked.filter((other) => other !== one), changes }));
    } else if (kind === 'record' || result === 'fail') {
      const title = kind === 'advice' ? `${one.title} of ${domain}` : one.title;
      notes.push({ title, text: fix === null ? diagnosis : `${fix.todo} No file can have this name or type.` });
    }
  }
  return { changes, notes, accepted };
}

/** What a file says of the faults it leaves out. */
export function describeAccepted(accepted: number): string[] {
  if (accepted === 0) return [];
  return [accepted === 1 ? '1 accepted fault is left out.' : `${accepted} accepted faults are left out.`];
}

/** For an MX without a priority, if none is published. */
const PRIORITY = 10;

function toRecord(fix: NonNullable<Finding['fix']>, published: readonly RecordData[]): RecordData | null {
  const name = normalizeOwner(fix.name);
  const type = fix.type.toUpperCase();
  if (name === null || !/^[A-Z][A-Z\d]*$/.test(type)) return null;
  const value = (/^(CNAME|MX|NS)$/.test(type) ? normalizeDnsName(fix.value) : null) ?? fix.value;
  if (type !== 'MX') return { type, name, value, priority: null };
  const same = published.find((one) => one.type === type && one.name === name && foldValue(one.value) === value);
  return { type, name, value, priority: fix.priority ?? same?.priority ?? PRIORITY };
}

type Subject = CheckedRecord & {
  record: RecordData;
  there: PublishedRecords;
  others: readonly CheckedRecord[];
  changes: readonly RecordChange[];
};

function toChange(subject: Subject): RecordChange {
  const { record, there, finding, domain } = subject;
  const { name, type } = record;
  const here = there.records.filter((one) => one.name === name);
  const published = here.filter((one) => one.type === type);
  const { removed, unclear } = findRemoved(subject, here);
  const zone = normalizeDnsName(finding.zone ?? '');
  const isComplete = there.isComplete(name, type);
  return {
    record,
    domain,
    zone: zone !== null && isWithin(name, zone) ? zone : null,
    ttl: there.ttlOf(name, type) ?? TTL,
    todo: finding.fix?.todo ?? '',
    published,
    isKnown: isComplete,
    removed,
    misplaced: findMisplaced(subject),
    byHand: whyByHand(subject, { removed, unclear, isComplete }),
  };
}

type Removal = { removed: RecordData[]; unclear: RecordData[] };

/** What of the records at the name must go. `unclear`: what a file can't decide. */
function findRemoved({ record, finding, others }: Subject, here: readonly RecordData[]): Removal {
  const rest = here.filter((one) => !isSameRecord(one, record));
  const aliases = rest.filter(({ type }) => type === 'CNAME');
  if (record.type === 'CNAME') return { removed: rest, unclear: [] };
  const same = rest.filter(({ type }) => type === record.type);
  if (record.type !== 'TXT') {
    return { removed: [...aliases, ...same.filter((one) => !isListed(one, others))], unclear: [] };
  }
  const kind = findSingletonKind(record);
  if (kind === null) {
    const corrupted = CORRUPTED.test(finding.code) ? same : [];
    return corrupted.length === 1
      ? { removed: [...aliases, ...corrupted], unclear: [] }
      : { removed: aliases, unclear: corrupted };
  }
  const of = (wanted: ReturnType<typeof compareKind>) =>
    same.filter(({ value }) => compareKind(kind, value) === wanted);
  return { removed: [...aliases, ...of('same')], unclear: of('unclear') };
}

/** Whether another listed record is published here. */
function isListed(one: RecordData, others: readonly CheckedRecord[]): boolean {
  const written = foldValue(formatFound(one));
  return others.some(({ finding }) => {
    const isThere = finding.evidence.some(({ records }) =>
      records.some(({ name }) => normalizeOwner(name) === one.name),
    );
    return isThere && foldValue(finding.expected ?? '') === written;
  });
}

function findMisplaced({ record, finding, there }: Subject): RecordData[] {
  if (!MISPLACED.has(finding.code)) return [];
  return there.records.filter((one) => {
    if (one.type !== record.type || one.name === record.name || formatData(one) === null) return false;
    const isWanted = isSameRecord({ ...one, name: record.name, priority: record.priority }, record);
    return finding.code === 'MX_AT_DOMAIN'
      ? isWanted
      : finding.found.some((value) => foldValue(value) === foldValue(formatFound(one)));
  });
}

function whyByHand(
  { record, finding, changes, there: { unplaced, isAuthoritative, records } }: Subject,
  { removed, unclear, isComplete }: Removal & { isComplete: boolean },
): string | null {
  const { result, code, evidence, fix } = finding;
  const kind = findSingletonKind(record);
  const before = changes.filter(({ record: other, byHand }) => other.name === record.name && byHand === null);
  const isReplacing = removed.length > 0;
  if (formatData(record) === null) return "Its value can't be written with certainty.";
  if (result !== 'fail') return "It's only a warning, so decide yourself.";
  if (ELSEWHERE.has(code)) return 'A change of this zone alone may not help.';
  if (before.some((other) => excludes(record, other.record))) return 'It conflicts with another change at this name.';
  if (evidence.length === 0 && (kind !== null || record.type === 'CNAME')) {
    return `What this name has isn't known. Add it only if there's no ${kind ?? 'other'} record yet.`;
  }
  if (unclear.length > 0) return "Whether what's there must go isn't certain.";
  if (unplaced.length > 0 && (kind !== null || record.type !== 'TXT')) return "Where the values are isn't certain.";
  if (code === 'WILDCARD_ANSWERS' && records.length > 0) return 'A wildcard answers for this name so far.';
  // Findings of earlier versions don't say.
  if (isReplacing && fix?.needs_decision !== false) return 'Only you can decide this.';
  if (isReplacing && !isAuthoritative) return "The name servers couldn't be asked what there is.";
  return isReplacing && !isComplete ? "What the name servers have differs, or can't be written with certainty." : null;
}

function excludes(one: RecordData, other: RecordData): boolean {
  if (one.type === 'CNAME' || other.type === 'CNAME') return true;
  const kind = findSingletonKind(one);
  return kind !== null && other.type === 'TXT' && compareKind(kind, other.value) === 'same';
}
