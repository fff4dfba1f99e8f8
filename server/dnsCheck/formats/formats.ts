import type { CheckReport } from '../report.ts';
import { formatGithub } from './formatGithub.ts';
import { formatJson, formatNdjson } from './formatJson.ts';
import { formatJunit } from './formatJunit.ts';
import { formatNagios } from './formatNagios.ts';
import { formatPrometheus } from './formatPrometheus.ts';
import { formatText } from './formatText.ts';

/** Each gives the whole output, which ends with a line end. */
export const FORMATS = {
  text: formatText,
  json: formatJson,
  ndjson: formatNdjson,
  junit: formatJunit,
  prometheus: formatPrometheus,
  github: formatGithub,
  nagios: formatNagios,
} satisfies Record<string, (report: CheckReport) => string>;

export type Format = keyof typeof FORMATS;
