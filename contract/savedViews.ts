import * as z from 'zod/mini';
import { Actor, ReadableActor } from './change.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { checkedText, isStorable, toReadableSchema, Uuid } from '#contract/values/field.ts';

// Lists of contacts by name. In a file of its own, so that it's loaded after the first page.

/** Of one owner. */
export const VIEWS_MAX = 100;
/** Shared in a workspace. */
export const SHARED_VIEWS_MAX = 100;
export const VIEW_NAME_MAX = 80;
export const VIEW_QUERY_MAX = 2000;

const viewFields = {
  name: checkedText(z.trim(), z.minLength(1), z.maxLength(VIEW_NAME_MAX), z.refine(isStorable)),
  /** What a link to the page of contacts has after its question mark. The service doesn't read it. */
  query: checkedText(z.maxLength(VIEW_QUERY_MAX), z.refine(isStorable)),
  /** Whether everyone in the workspace sees it. */
  shared: z.boolean(),
};

/** `own`: the caller saved it. */
export const SavedView = z.strictObject({ uuid: Uuid, ...viewFields, own: z.boolean(), owner: Actor });
export type SavedView = z.infer<typeof SavedView>;

const ReadableSavedView = toReadableSchema(
  z.strictObject({ ...SavedView.shape, name: z.string(), query: z.string(), owner: ReadableActor }),
  ['uuid', 'query'],
);
export type ReadableSavedView = z.infer<typeof ReadableSavedView>;

/** The caller's own, then those that others share; each by name. */
export const listViews = {
  id: 'listViews',
  method: 'GET',
  path: '/v1/views',
  ...dataOf(z.array(SavedView), z.array(ReadableSavedView)),
} as const satisfies Operation;

/** 409 for a name that the owner has already, and for too many. */
export const createView = {
  id: 'createView',
  method: 'POST',
  path: '/v1/views',
  body: z.strictObject(viewFields),
  ...dataOf(SavedView, ReadableSavedView),
} as const satisfies Operation;

/** By its owner, or an admin if it's shared. What is left out stays. */
export const updateView = {
  id: 'updateView',
  method: 'POST',
  path: '/v1/views/{view}',
  body: z.strictObject({
    name: z.optional(viewFields.name),
    query: z.optional(viewFields.query),
    shared: z.optional(viewFields.shared),
  }),
  ...dataOf(SavedView, ReadableSavedView),
} as const satisfies Operation;

/** As for `updateView`. Returns what was removed. */
export const removeView = {
  id: 'removeView',
  method: 'DELETE',
  path: '/v1/views/{view}',
  ...dataOf(SavedView, ReadableSavedView),
} as const satisfies Operation;
