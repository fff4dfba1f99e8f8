import { useState } from 'react';
import { useBulkOffer } from '../bulk/useBulkOffer.ts';
import { useContactOffer } from '../contacts/useContactOffer.ts';
import { useViewOffer } from '../contacts/views/useViewOffer.ts';
import { useBounceOffer } from '../domains/bounce/useBounceOffer.ts';
import { useAddressOffer } from '../domains/useAddressOffer.ts';
import { useDomainOffer } from '../domains/useDomainOffer.ts';
import { Palette } from '../shell/palette/Palette.tsx';

/** The palette with what each feature offers in it, in this order. */
export function ConsolePalette({ initial, onClose }: { initial: string; onClose: () => void }) {
  const [text, setText] = useState(initial);
  const offers = [
    useBulkOffer(text),
    useBounceOffer(text),
    useContactOffer(text),
    useViewOffer(text),
    useDomainOffer(text),
    useAddressOffer(text),
  ];
  return <Palette text={text} offers={offers} onType={setText} onClose={onClose} />;
}
