import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { GivenText } from '../ui/GivenText.tsx';

/** What became of a watch, with the way to its domain. */
export function WatchToast({ domain, sentence }: { domain: string; sentence: string }) {
  return (
    <>
      <Link to={paths.domain(domain)}>
        <GivenText text={domain} />
      </Link>{' '}
      <GivenText text={sentence} />
    </>
  );
}
