import { useRailMark } from '../ui/page/railMarks.ts';
import { SectionAnchor } from '../url/Link.tsx';
import type { Section } from './sections.ts';
import classes from './Shell.module.css';

export function SectionLink({ to, label, Icon }: Section) {
  const mark = useRailMark(to);
  const [first, ...rest] = label.split(' ');
  return (
    <SectionAnchor to={to} className={classes.section} title={mark === null ? undefined : `${label}: ${mark.text}`}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span>
        {first}
        {rest.length > 0 && <span className={classes.rest}> {rest.join(' ')}</span>}
      </span>
      {mark !== null && (
        <b className={classes.mark} data-running={mark.isRunning || undefined}>
          <span className="visually-hidden">, </span>
          {mark.text}
        </b>
      )}
    </SectionAnchor>
  );
}
