import { works } from '#contract/domains/recordStatus.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { type DomainReport, isChecked, type ReportLine, type CheckReport } from '../report.ts';

const LABEL_MAX = 300;

type Gauge<Of> = {
  name: string;
  help: string;
  /** Null leaves the sample out. */
  value: (of: Of) => number | null;
  /** Combines values with the same labels, like those of two TXT records at one name. */
  worst: (...values: number[]) => number;
};

type RecordLine = ReportLine & { kind: 'record' };
const isRecord = (one: { of: ReportLine; labels: string }): one is { of: RecordLine; labels: string } =>
  one.of.kind === 'record';

const records: Gauge<RecordLine>[] = [
  {
    name: 'sending_dns_record_ok',
    help: '1 if the record is ok or warn, 0 if it failed or is pending; none while unknown.',
    value: ({ finding: { result } }) => (result === 'unknown' ? null : Number(works(result))),
    worst: Math.min,
  },
  {
    name: 'sending_dns_record_pending',
    help: '1 if the record is right, but not yet at all name servers and resolvers.',
    value: ({ finding }) => Number(finding.result === 'pending'),
    worst: Math.max,
  },
  {
    name: 'sending_dns_record_unknown',
    help: "1 if the record couldn't be queried.",
    value: ({ finding }) => Number(finding.result === 'unknown'),
    worst: Math.max,
  },
  {
    name: 'sending_dns_record_accepted',
    help: '1 if the baseline accepts the fault of the record.',
    value: ({ isAccepted }) => Number(isAccepted),
    worst: Math.min,
  },
  {
    name: 'sending_dns_service_valid',
    help: '1 if the service counts the record as valid, 0 if not.',
    value: ({ record }) => (record.is_valid === null ? null : Number(record.is_valid)),
    worst: Math.min,
  },
];

const advice: Gauge<ReportLine>[] = [
  {
    name: 'sending_dns_advice_ok',
    help: '0 if there is something to improve beyond the records.',
    value: ({ finding: { result } }) => (result === 'unknown' ? null : Number(result === 'ok')),
    worst: Math.min,
  },
];

const checks: Gauge<DomainReport>[] = [
  {
    name: 'sending_dns_check_timestamp_seconds',
    help: 'When the domain was checked, in seconds since 1970.',
    value: ({ checkedAtMs }) => checkedAtMs / 1000,
    worst: Math.min,
  },
  {
    name: 'sending_dns_check_duration_seconds',
    help: 'How long the check of the domain took.',
    value: ({ durationMs }) => durationMs / 1000,
    worst: Math.max,
  },
];

export function formatPrometheus({ domains }: CheckReport): string {
  const lines = domains.flatMap(({ domain, lines }) =>
    lines.filter(isChecked).map((of) => {
      const about: Record<string, string> =
        of.kind === 'record' ? { type: of.record.type ?? '', name: of.record.name ?? '' } : { about: of.about };
      return { of, labels: formatLabels({ domain: domain.name, ...about }) };
    }),
  );
  const ofDomains = domains.map((of) => ({ of, labels: formatLabels({ domain: of.domain.name }) }));
  return [
    ...records.map((gauge) => formatSamples(gauge, lines.filter(isRecord))),
    ...advice.map((gauge) =>
      formatSamples(
        gauge,
        lines.filter(({ of }) => of.kind === 'advice'),
      ),
    ),
    ...checks.map((gauge) => formatSamples(gauge, ofDomains)),
  ].join('');
}

/** The collector rejects two samples with the same labels, so they're combined. */
function formatSamples<Of>(
  { name, help, value, worst }: Gauge<Of>,
  all: readonly { of: Of; labels: string }[],
): string {
  const samples = new Map<string, number>();
  for (const { of, labels } of all) {
    const sample = value(of);
    if (sample !== null) samples.set(labels, worst(sample, samples.get(labels) ?? sample));
  }
  const lines = [...samples].map(([labels, sample]) => `${name}{${labels}} ${sample}\n`);
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function formatLabels(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${toPrintable(value, LABEL_MAX).replaceAll(/["\\]/g, String.raw`\$&`)}"`)
    .join(',');
}
