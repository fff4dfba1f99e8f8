// Which DMARC policy a domain has, and the next safe step: none, monitoring, test mode, quarantine, reject (RFC 9989).

const POLICIES = ['none', 'quarantine', 'reject'] as const;
type Policy = (typeof POLICIES)[number];

/** `none`: without reports. `testing`: a policy in test mode, or for a part of mail. `unreadable`: receivers can't use it. */
export type DmarcPhase =
  | 'unknown'
  | 'absent'
  | 'unreadable'
  | 'none'
  | 'monitoring'
  | 'testing'
  | 'quarantine'
  | 'reject';

export type DmarcCondition = {
  id: 'reports_address' | 'reports_sent' | 'aligned' | 'settled' | 'reports_read' | 'people';
  sentence: string;
  /** `ask`: only a person can say. */
  state: 'met' | 'waiting' | 'unmet' | 'ask';
  /** When it will be met, in milliseconds since the epoch, if nothing changes; null unless waiting. */
  at: number | null;
};

type DmarcStep = {
  phase: DmarcPhase;
  /** The record to publish; null if something in it isn't known yet. */
  record: string | null;
  conditions: readonly DmarcCondition[];
  /** Whether everything is met that the service can see. */
  isReady: boolean;
};

type PhaseInput = {
  /** The TXT records at the name whose record applies; null if they couldn't be queried. */
  texts: readonly string[] | null;
  /** Whether the record is of a domain above. */
  isInherited: boolean;
  /** Since when all listed senders are aligned, in milliseconds since the epoch; null if they aren't, or nobody knows. */
  alignedSince: number | null;
  /** Since when the record is as it is. */
  recordSince: number | null;
  /** A mailbox for reports; null if none is known. */
  reportsAddress: string | null;
  now: number;
};

/** Days for which alignment and record must not have changed. Thirty include what is sent once a month. */
const DAYS = { quarantine: 14, reject: 30 } as const;
const DAY = 86_400_000;

/** Says where a domain is, and what it takes to go one step further. Inherited records are changed at their own domain. */
export function judgeDmarcPhase(input: PhaseInput): {
  phase: DmarcPhase;
  isInherited: boolean;
  next: DmarcStep | null;
} {
  const { texts, isInherited } = input;
  if (texts === null) return { phase: 'unknown', isInherited, next: null };
  const records = texts.filter((text) => /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(;|$)/.test(text));
  const [record = ''] = records;
  const tags = readTags(record);
  const policy = tags === null ? null : policyOf(tags, isInherited);
  if (records.length > 1 || (records.length === 1 && policy === null)) {
    return { phase: 'unreadable', isInherited, next: null };
  }
  const phase = records.length === 0 ? 'absent' : phaseOf(tags ?? NO_TAGS, policy ?? 'none');
  return { phase, isInherited, next: isInherited ? null : nextStep(phase, tags ?? NO_TAGS, policy ?? 'none', input) };
}

type Tags = ReadonlyMap<string, string>;
const NO_TAGS: Tags = new Map();

/** The tags after the version, in their order; null if a part isn't a tag, or is there twice. */
function readTags(record: string): Tags | null {
  const tags = new Map<string, string>();
  for (const piece of record.split(';').slice(1)) {
    if (piece.trim() === '') continue;
    const equals = piece.indexOf('=');
    const tag = piece.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (tag === '' || tags.has(tag)) return null;
    tags.set(tag, piece.slice(equals + 1).trim());
  }
  return tags;
}

function policyOf(tags: Tags, isInherited: boolean): Policy | null {
  const value = (isInherited ? tags.get('sp') : undefined) ?? tags.get('p') ?? 'none';
  return POLICIES.find((one) => one === value.toLowerCase()) ?? null;
}

function phaseOf(tags: Tags, policy: Policy): DmarcPhase {
  if (policy === 'none') return hasReports(tags) ? 'monitoring' : 'none';
  const isPart = Number(tags.get('pct') ?? 100) < 100;
  return tags.get('t')?.toLowerCase() === 'y' || isPart ? 'testing' : policy;
}

const hasReports = (tags: Tags) => /(^|,)\s*mailto:/i.test(tags.get('rua') ?? '');

function nextStep(phase: DmarcPhase, tags: Tags, policy: Policy, input: PhaseInput): DmarcStep | null {
  if (phase === 'absent' || phase === 'none') {
    const address = input.reportsAddress;
    // Others have a meaning of their own in a record.
    const isUsable = address !== null && /^[^\s,;!@<>]+@[\w.-]+$/.test(address);
    const record = isUsable ? formatRecord('none', new Map([...tags, ['rua', `mailto:${address}`]])) : null;
    return toStep('monitoring', record, [needsAddress(isUsable)]);
  }
  if (phase === 'monitoring') {
    const record = formatRecord('quarantine', new Map([['pct', '0'], ['t', 'y'], ...without(tags, 'pct', 't')]));
    return toStep('testing', record, conditionsFor(DAYS.quarantine, tags, input));
  }
  const goal = phase === 'testing' ? policy : 'reject';
  if (phase === 'reject' || goal === 'none') return null;
  const people = goal === 'reject' ? [PEOPLE] : [];
  return toStep(goal, formatRecord(goal, new Map(without(tags, 'pct', 't'))), [
    ...conditionsFor(DAYS[goal], tags, input),
    ...people,
  ]);
}

function toStep(phase: DmarcPhase, record: string | null, conditions: readonly DmarcCondition[]): DmarcStep {
  return { phase, record, conditions, isReady: conditions.every(({ state }) => state === 'met' || state === 'ask') };
}

const without = (tags: Tags, ...removed: string[]) => [...tags].filter(([tag]) => !removed.includes(tag));

/** The policy is the second tag, as older receivers require. */
function formatRecord(policy: Policy, tags: Tags): string {
  const others = without(tags, 'p').map(([tag, value]) => `; ${tag}=${value}`);
  return `v=DMARC1; p=${policy}${others.join('')}`;
}

const needsAddress = (isMet: boolean): DmarcCondition => ({
  id: 'reports_address',
  sentence: 'A mailbox receives the reports.',
  state: isMet ? 'met' : 'unmet',
  at: null,
});

const PEOPLE: DmarcCondition = {
  id: 'people',
  sentence: 'Nobody writes to mailing lists from this domain: lists change messages, which are then rejected.',
  state: 'ask',
  at: null,
};

function conditionsFor(days: number, tags: Tags, { alignedSince, recordSince, now }: PhaseInput): DmarcCondition[] {
  const lasting = (id: DmarcCondition['id'], sentence: string, since: number | null): DmarcCondition => {
    const at = since === null ? null : since + days * DAY;
    if (at === null) return { id, sentence, state: 'unmet', at: null };
    return now < at ? { id, sentence, state: 'waiting', at } : { id, sentence, state: 'met', at: null };
  };
  const read = 'The reports show no mail of yours that fails DMARC.';
  return [
    ...(hasReports(tags)
      ? []
      : [{ id: 'reports_sent', sentence: 'The record requests reports (rua).', state: 'unmet', at: null } as const]),
    lasting('aligned', `All listed senders have been aligned for ${days} days.`, alignedSince),
    lasting('settled', `The DMARC record hasn't changed for ${days} days.`, recordSince),
    { id: 'reports_read', sentence: read, state: 'ask', at: null },
  ];
}
