import * as z from 'zod';
import { getSession, signIn, signOut } from '#contract/session.ts';
import type { TestService } from './testService.ts';

// The contract of the service, read back from /openapi.json. Tests that are generated from it include new operations,
// and check every answer against the document.

/** One operation, of the document or of the console's sessions, which the document leaves out. */
export type Operation = {
  id: string;
  method: string;
  /** With `{name}` for each path parameter. */
  path: string;
  /** Names of the path parameters. */
  params: string[];
  query: Parameter[];
  /** Name of the schema of the body; null without a body. */
  body: string | null;
  /** The error of an answer of this operation, or null. */
  findViolation: (answer: HttpAnswer) => string | null;
};

export type Parameter = { name: string; schema: { type: string; items?: { contentSchema: SortDescriptor } } };
/** The schema of a descriptor in `sorting[]`. */
type SortDescriptor = { properties: { id: { enum: string[] } } };

export type HttpAnswer = { status: number; headers: Headers; body: string };

type Json = { readonly [key: string]: unknown };
type Documented = {
  operationId: string;
  parameters?: (Parameter & { in: string })[];
  requestBody?: { content: Record<string, { schema: Reference }> };
  responses: Record<string, { content?: Record<string, { schema: Reference }> }>;
};
type Reference = { $ref: string };
type Description = {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Json> };
};

/** Every operation that `service` offers. */
export async function readContract(service: Pick<TestService, 'call'>): Promise<Operation[]> {
  const { paths, components } = (await (await service.call('/openapi.json')).json()) as Description;
  // One document with all schemas, at the place where references point.
  const $defs = JSON.parse(
    JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as z.core.JSONSchema.JSONSchema['$defs'];
  const schemaNamed = ({ $ref }: Reference) =>
    z.fromJSONSchema({ $ref: $ref.replace('#/components/schemas/', '#/$defs/'), $defs });
  const problem = schemaNamed({ $ref: '#/components/schemas/Problem' });

  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [answer] = Object.entries(operation.responses[200]?.content ?? {});
      if (answer === undefined && operation.responses[204] === undefined) unknownAnswer(operation);
      const result = answer === undefined ? null : schemaNamed(answer[1].schema);
      const [body] = Object.values(operation.requestBody?.content ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        params: (operation.parameters ?? []).filter((it) => it.in === 'path').map(({ name }) => name),
        query: (operation.parameters ?? []).filter((it) => it.in === 'query'),
        body: body?.schema.$ref.split('/').at(-1) ?? null,
        findViolation: createAnswerCheck({ type: answer?.[0] ?? '', result, problem }),
      };
    }),
  );
  const sessions = [signIn, getSession, signOut].map((endpoint): Operation => {
    const { id, method, path } = endpoint;
    const body = 'body' in endpoint ? 'Credentials' : null;
    const result = endpoint === signOut ? null : (endpoint.result as z.core.$ZodType);
    return {
      id,
      method,
      path,
      params: [],
      query: [],
      body,
      findViolation: createAnswerCheck({ type: 'application/json', result, problem }),
    };
  });
  return [...documented, ...sessions];
}

function unknownAnswer({ operationId }: Documented): never {
  throw new Error(`${operationId} does not say what it answers.`);
}

type ExpectedAnswer = { type: string; result: z.core.$ZodType | null; problem: z.core.$ZodType };

function createAnswerCheck({ type, result, problem }: ExpectedAnswer): Operation['findViolation'] {
  return ({ status, headers, body }) => {
    const given = headers.get('content-type')?.split(';')[0] ?? null;
    if (status >= 400)
      return given === 'application/problem+json' ? findSchemaError(problem, body) : `It came as ${given}.`;
    if (result === null) return status === 204 && body === '' ? null : `It is a ${status} of ${body.length} bytes.`;
    if (status !== 200) return `It is a ${status}.`;
    if (given !== type) return `It came as ${given}.`;
    const texts = type === 'application/x-ndjson' ? body.trimEnd().split('\n') : [body];
    return texts.map((text) => findSchemaError(result, text)).find((fault) => fault !== null) ?? null;
  };
}

function findSchemaError(schema: z.core.$ZodType, text: string): string | null {
  const { success, error } = z.safeParse(schema, JSON.parse(text));
  return success ? null : z.prettifyError(error);
}
