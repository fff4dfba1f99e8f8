import { formatCount } from '../ui/format/formatCount.ts';
import { countOf } from './countOf.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Import.module.css';
import { groupFaults } from './mapping.ts';
import type { BadLine } from './readExport.ts';

const GROUPS_MAX = 20;
const NUMBERS_MAX = 20;

/** Lines that aren't imported, by what is wrong with them. */
export function Faults({ lines, title }: { lines: readonly BadLine[]; title: string }) {
  const groups = groupFaults(lines);
  if (groups.length === 0) return null;
  return (
    <>
      <h2>
        {title}: {countOf(lines.length, 'line')}
      </h2>
      <ul className={classes.faults}>
        {groups.slice(0, GROUPS_MAX).map(({ fault, numbers }) => (
          <li key={fault}>
            <UntrustedText text={fault} /> {describeNumbers(numbers)}
          </li>
        ))}
        {groups.length > GROUPS_MAX && <li>{formatCount(groups.length - GROUPS_MAX)} more faults</li>}
      </ul>
    </>
  );
}

function describeNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, NUMBERS_MAX).map(formatCount).join(', ');
  const more = numbers.length - NUMBERS_MAX;
  return `${numbers.length === 1 ? 'Line' : 'Lines'} ${shown}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`;
}
