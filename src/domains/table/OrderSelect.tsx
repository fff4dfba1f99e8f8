import { NativeSelect } from '@mantine/core';
import { formatSort, parseSort, type ListControl } from '../../table/useList.ts';
import classes from './TableFilters.module.css';

const REPORT_ORDERS = [
  { value: '-urgency', label: 'Worst first' },
  { value: 'name', label: 'By name' },
  { value: '-changed_at', label: 'Last changed first' },
  { value: 'checked_at', label: 'Longest unchecked first' },
  { value: 'provider', label: 'By provider' },
  { value: '-created_at', label: 'Newest first' },
];

/** A service without reports sorts by what it has; the rows of a page can be sorted here. */
const ORDERS = [
  { value: '-urgency', label: 'Worst of the page first' },
  { value: 'name', label: 'By name' },
  { value: 'provider', label: 'By provider' },
  { value: '-created_at', label: 'Newest first' },
];

export function OrderSelect({ list, hasReports }: { list: ListControl; hasReports: boolean }) {
  const { state, change } = list;
  const value = formatSort(state.sort);
  const orders = hasReports ? REPORT_ORDERS : ORDERS;
  // A click on a header turns an order around.
  const turned = orders.find((order) => parseSort(order.value).id === state.sort.id);
  const others = orders.some((order) => order.value === value)
    ? []
    : [{ value, label: turned === undefined ? state.sort.id : `${turned.label}, reversed` }];
  return (
    <NativeSelect
      size="xs"
      className={classes.select}
      aria-label="Order"
      value={value}
      data={[...orders, ...others]}
      onChange={({ currentTarget: { value } }) => change({ sort: parseSort(value) })}
    />
  );
}
