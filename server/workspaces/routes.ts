import { getWorkspace } from '#contract/additions.ts';
import { additions } from '#contract/allAdditions.ts';
import { type Route, route } from '../http/route.ts';

export const workspaceRoutes = (): Route[] => [
  route(getWorkspace, async ({ workspace: { uuid, name, identity_field } }) => {
    return { data: { uuid, name, identity_field, capabilities: additions.map(({ id }) => id) } };
  }),
];
