import { execFileSync } from 'node:child_process';

// Checks the messages of the commits since this file was added: a subject of at most 72 characters, imperative, with the
// part in front, such as `desk: keep shown contacts across reloads`, and an empty line before the body.

const SUBJECT = /^[a-z][\w.:/, -]*: [a-z0-9`"@.].*[^.\s]$/;
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });

const [first] = git('log', '--diff-filter=A', '--format=%H', '--', '.ci/commitMessages.ts').split('\n');
if (!first) console.log('The messages of commits are not checked, because the history is not whole.');
const commits = first ? git('log', '--no-merges', '--format=%h%n%B%x00', `${first}..HEAD`).split('\0') : [];
for (const commit of commits.map((text) => text.trim()).filter(Boolean)) {
  const [hash = '', subject = '', empty = ''] = commit.split('\n');
  const faults = [
    ...(subject.length > 72 ? [`has a subject of ${subject.length} characters, and 72 is the most`] : []),
    ...(SUBJECT.test(subject) ? [] : ['has no subject like "part: do something"']),
    ...(empty === '' ? [] : ['has no empty line below its subject']),
  ];
  for (const fault of faults) console.error(`${hash} ${fault}: ${subject}`);
  if (faults.length > 0) process.exitCode = 1;
}
