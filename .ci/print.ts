import { additions } from '#contract/additions.ts';
import { gapsPage } from '#contract/gaps.ts';
import { openApi } from '#contract/openapi.ts';

const [what] = process.argv.slice(2);
if (what === 'openapi') process.stdout.write(`${JSON.stringify(openApi({ additions }), null, 2)}\n`);
else if (what === 'gaps') process.stdout.write(gapsPage());
else throw new Error('Say what to print: openapi or gaps.');
