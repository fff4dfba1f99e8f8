import type { Meta } from '#contract/list.ts';
import classes from './ListToolbar.module.css';

/** How many there are, beside a page's heading; keeps its place while unknown. */
export function Total({ meta }: { meta: Meta | undefined }) {
  return <span className={classes.total}>{meta === undefined ? '' : meta.total.toLocaleString('en')}</span>;
}
