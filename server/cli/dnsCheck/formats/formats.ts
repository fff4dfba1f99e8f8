import { formatCsv } from './formatCsv.ts';
import type { CheckReport } from '../report.ts';
import { formatGithub } from './formatGithub.ts';
import { formatJson, formatNdjson } from './formatJson.ts';
import { formatJunit } from './formatJunit.ts';
import { formatNagios } from './formatNagios.ts';
import { formatPrometheus } from './formatPrometheus.ts';
import { formatText } from './formatText.ts';

/** The output formats. Each returns the whole output, which ends with a line break. */
export const FORMATS = {
  text: formatText,
  json: formatJson,
  ndjson: formatNdjson,
  csv: formatCsv,
  junit: formatJunit,
  prometheus: formatPrometheus,
  github: formatGithub,
  nagios: formatNagios,
} satisfies Record<string, (report: CheckReport) => string>;

export type Format = keyof typeof FORMATS;
