import type { Meta } from '#contract/list.ts';
import classes from './ListToolbar.module.css';
import { formatCount } from '../ui/formatCount.ts';

/** How many there are, beside a page's heading; keeps its place while unknown. */
export function Total({ meta }: { meta: Meta | undefined }) {
  return <span className={classes.total}>{meta === undefined ? '' : formatCount(meta.total)}</span>;
}
