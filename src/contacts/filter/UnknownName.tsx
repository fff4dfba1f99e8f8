import { Button } from '@mantine/core';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';

type Props = { title: string; name: string; similar: readonly string[]; onChoose: (name: string) => void };

/** A name in a filter that is perhaps misspelt, with what was perhaps meant. */
export function UnknownName({ title, name, similar, onChoose }: Props) {
  return (
    <span role="status">
      {title} <UntrustedText text={name} />.{' '}
      {similar.map((other) => (
        <Button key={other} ref={refocusOnRemoval} variant="default" size="xs" mr={8} onClick={() => onChoose(other)}>
          <span>
            Use <UntrustedText text={other} />
          </span>
        </Button>
      ))}
    </span>
  );
}
