import { additions } from '#contract/additions.ts';
import { gapsPage } from '#contract/gaps.ts';
import { openApi } from '#contract/openapi.ts';
import { codesPage } from '../server/dns/catalogue/codesPage.ts';

const [what] = process.argv.slice(2);
if (what === 'openapi') process.stdout.write(`${JSON.stringify(openApi({ additions }), null, 2)}\n`);
else if (what === 'gaps') process.stdout.write(gapsPage());
else if (what === 'codes') process.stdout.write(codesPage());
else throw new Error('Say what to print: openapi, gaps or codes.');
