import { lazy, Suspense } from 'react';
import type { OperationId } from '#contract/roles.ts';
import { useCapability } from '../session/useSession.ts';

/** Without its operation, which is loaded with the note. */
const RETENTION = { id: 'getRetention' } satisfies { id: OperationId };
const DeletedBefore = lazy(async () => ({ default: (await import('./DeletedBefore.tsx')).DeletedBefore }));

/** Says before what time rows were deleted because of their age; nothing if none were. */
export function DeletedNote({ of }: { of: 'contact' | 'log' }) {
  if (!useCapability(RETENTION)) return null;
  return (
    <Suspense>
      <DeletedBefore of={of} />
    </Suspense>
  );
}
