import { useLayoutEffect } from 'react';
import { readQuery, textParam, useUrlQuery, writeQuery, type Query } from '../../../url/urlState.ts';

/** Leads an old link to what it asked for. */
export function OldLink(): null {
  const [, replace] = useUrlQuery();
  useLayoutEffect(() => {
    replace((now) => translateOldLink(now), { replace: true });
  });
  return null;
}

const OLD = { view: textParam, order: textParam, result: textParam };

/** The states of what the matrix called results. It also had "not checked", which every domain was after a reload. */
const STATES = new Map([
  ['fail', 'failing'],
  ['alarm', 'failing'],
  ['pending', 'pending'],
  ['warn', 'warning'],
  ['ok', 'healthy'],
]);

/** The query that asks the same of the table as an old link asked of the list (`view=list`) or the matrix (`view=matrix`). */
export function translateOldLink(query: Query): Query {
  const { view, order, result } = readQuery(OLD, query);
  const isMatrix = view === 'matrix';
  const state = STATES.get(result);
  // The matrix began with the worst, whatever the list was sorted by; the list with the newest.
  const isAsListed = !isMatrix || order === 'listed';
  const next = writeQuery(OLD, { view: '', order: '', result: '' }, query);
  if (isMatrix && state !== undefined) next.set('state', state);
  if (!isAsListed) next.delete('sort');
  else if (!next.has('sort')) next.set('sort', '-created_at');
  return next;
}
