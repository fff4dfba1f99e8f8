import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { ProblemError } from './problems.ts';
import { toRouteUrl, requestPath } from './serve.ts';

/**
 * Records the routes that `app` gets from now on, and returns a function that rejects requests to others: 405 if the path has another
 * method, else 404. `withheld` operations are always 404.
 */
export function createUnknownRouteHandler(
  app: FastifyInstance,
  withheld: readonly Endpoint[],
): (request: FastifyRequest) => never {
  const served: { method: string; url: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) served.push({ method: each, url });
  });
  const withheldRoutes = withheld.map((endpoint) => ({ method: endpoint.method, url: toRouteUrl(endpoint) }));

  return (request) => {
    const path = requestPath(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const isWithheld = withheldRoutes.some((each) => each.method === method && isOfRoute(path, each.url));
    const methods = served.filter(({ url }) => isOfRoute(path, url)).map((each) => each.method);
    // The method is there for a file of the console that was deleted after the start.
    if (isWithheld || methods.length === 0 || methods.includes(request.method))
      throw new ProblemError(404, 'Not found.');
    const allowed = [...new Set(methods)].join(', ');
    throw new ProblemError(405, `Only ${allowed} is allowed here.`, { headers: { allow: allowed } });
  };
}

function isOfRoute(path: string, url: string): boolean {
  const [asked, own] = [path.split('/'), url.split('/')];
  return (
    asked.length === own.length &&
    own.every((segment, at) => (segment.startsWith(':') ? asked[at] !== '' : asked[at] === segment))
  );
}
