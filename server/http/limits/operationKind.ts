/** Reads are the first that an overload refuses, and are counted apart from writes. */
export type OperationKind = 'read' | 'write';

/** A DNS check is a POST, but a read, because it changes nothing that the client sent. */
export function operationKindOf({
  method,
  isStream = false,
}: {
  method?: string | undefined;
  isStream?: boolean;
}): OperationKind {
  return method === 'GET' || method === 'HEAD' || isStream ? 'read' : 'write';
}
