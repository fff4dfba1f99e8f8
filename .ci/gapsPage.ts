import { gaps, type Gap } from '#contract/gaps.ts';
import { operations } from '#contract/interface.ts';

/** The contents of docs/gaps.md. */
export function gapsPage(): string {
  const sections = [...new Set(gaps.map((gap) => gap.section))].toSorted();
  return `# Where the interface is silent

What our service does where the interface says nothing. Printed from \`contract/gaps.ts\` by \`npm run gaps\`; the same
sentences are in the OpenAPI document as \`x-not-shown\`. "Not shown" are the words of the interface itself; the other
rows are questions that it does not raise.

${sections.map(formatSection).join('\n')}`;
}

function formatSection(section: string): string {
  const rows = gaps.filter((gap) => gap.section === section).map(row);
  return `## Section ${section}

| open | says so itself | operations | our choice |
|---|---|---|---|
${rows.join('\n')}
`;
}

function row(gap: Gap): string {
  const touched = gap.operations.length === operations.length ? 'all' : gap.operations.join(', ') || 'the service';
  return `| ${gap.silent} | ${gap.notShown ? 'not shown' : ''} | ${touched} | ${gap.choice} |`;
}
