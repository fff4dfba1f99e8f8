import { type RecordFileKind, writeRecordFile } from '#contract/recordFiles/recordFile.ts';
import { type CheckReport, titleOf } from '../report.ts';

/** What must change. Of what the baseline accepts, a file says only how much it leaves out. */
export function formatFixes(kind: RecordFileKind, { domains }: CheckReport): string {
  const checked = domains.flatMap(({ domain, lines }) =>
    lines.map((line) => {
      const { kind, finding, isAccepted } = line;
      return { title: titleOf(line), domain: domain.name, kind, finding, isAccepted };
    }),
  );
  return writeRecordFile(kind, checked);
}
