import { additions } from '#contract/openapi/allAdditions.ts';
import { openApi } from '#contract/openapi/openapi.ts';
import { letReaderStop } from '../server/cli/terminal/letReaderStop.ts';
import { codesPage } from './codesPage.ts';
import { licencesPage } from './licences.ts';
import { readLock, readManifest } from './lockFile.ts';
import { billOfMaterials } from './sbom.ts';
import { listShippedPackages } from './shippedPackages.ts';

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const shipped = () => listShippedPackages(readLock(), readManifest());

const pages: Record<string, () => string> = {
  openapi: () => asJson(openApi({ additions, hasRoles: true })),
  codes: codesPage,
  licences: () => licencesPage(shipped()),
  sbom: () => asJson(billOfMaterials(shipped(), readManifest())),
};

const [what = ''] = process.argv.slice(2);
const page = pages[what];
if (page === undefined) throw new Error(`Say what to print: ${Object.keys(pages).join(', ')}.`);
letReaderStop(1);
process.stdout.write(page());
