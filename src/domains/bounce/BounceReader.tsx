import { lazy, Suspense } from 'react';
import { closeBounceReader, useBounceReader } from '../../ui/page/bounceReader.ts';

/** The corpus is large. */
const BounceDialog = lazy(async () => ({ default: (await import('./BounceDialog.tsx')).BounceDialog }));

/** Shows what `openBounceReader` opens. */
export function BounceReader() {
  const opened = useBounceReader();
  return <Suspense>{opened !== null && <BounceDialog initial={opened} onClose={closeBounceReader} />}</Suspense>;
}
