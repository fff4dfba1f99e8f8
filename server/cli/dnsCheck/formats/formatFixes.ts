import { type RecordFileKind, writeRecordFile } from '#contract/recordFiles/recordFile.ts';
import { type CheckReport, titleOf } from '../report.ts';

/** What must change, without what the baseline accepts. */
export function formatFixes(kind: RecordFileKind, { domains }: CheckReport): string {
  const checked = domains.flatMap(({ domain, lines }) =>
    lines
      .filter(({ isAccepted }) => !isAccepted)
      .map((line) => ({ title: titleOf(line), domain: domain.name, kind: line.kind, finding: line.finding })),
  );
  return writeRecordFile(kind, checked);
}
