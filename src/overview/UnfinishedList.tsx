import { Notice } from '../ui/Notice.tsx';
import { useRailMark } from '../ui/page/railMarks.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';

/** A list in Bulk unsubscribe that was begun in this browser, and how many contacts it has left. */
export function UnfinishedList() {
  const mark = useRailMark(paths.desk);
  if (mark === null) return null;
  return (
    <Notice
      tone={mark.isRunning ? 'neutral' : 'warn'}
      title={mark.isRunning ? `A list is running: ${mark.text}` : `A list is not finished: ${mark.text}`}
      actions={<Link to={paths.desk}>{mark.isRunning ? 'Watch it' : 'Go on with it'}</Link>}
    />
  );
}
