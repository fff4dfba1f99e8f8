import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';

export function WatchToast({ domain, sentence }: { domain: string; sentence: string }) {
  return (
    <>
      <Link to={paths.domain(domain)}>
        <UntrustedText text={domain} />
      </Link>{' '}
      <UntrustedText text={sentence} />
    </>
  );
}
