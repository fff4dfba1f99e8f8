import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { findPathSegmentError } from '#contract/endpoint.ts';
import type { Credentials } from '#contract/session.ts';
import { useForm } from '../ui/useForm.ts';
import { paths } from '../url/paths.ts';
import { readQuery, type Param } from '../url/urlState.ts';
import { openSession } from './session.ts';

/**
 * The form of the sign-in page and the request. A one-time code in the URL (`#code=...`) is sent on mount; `hasCode` is
 * true until it is taken out of the URL.
 */
export function useSignInForm() {
  const client = useQueryClient();
  const { field, submit } = useForm({ token: '', workspace: '' }, validate);
  const [error, setError] = useState<Error | null>(null);
  const attempt = useMutation({
    mutationFn: (credentials: Credentials) => openSession(client, credentials),
    meta: { isSignIn: true },
    onError: setError,
  });
  const hasCode = useSignInCode((code) => attempt.mutate({ code }));
  return {
    field,
    attempt,
    /** Of the last attempt, until the next one is checked. */
    error,
    hasCode,
    submit: () => {
      setError(null);
      submit((values) => {
        const [token, workspace] = [values.token.trim(), values.workspace.trim()];
        attempt.mutate({ token, ...(workspace !== '' && { workspace }) });
      });
    },
  };
}
const FRAGMENT: { code: Param<string | null> } = { code: { initial: null, parse: (text) => text, format: String } };

/** Calls `redeem` with the code in the URL, after the code was taken out of there; tells whether there is one. */
function useSignInCode(redeem: (code: string) => void): boolean {
  const navigate = useNavigate();
  const location = useLocation();
  const { code } = readQuery(FRAGMENT, location.hash.slice(1));
  const take = useEffectEvent((value: string) => {
    // The code leaves the URL before it is sent: it works once, and the browser's history should not keep it.
    void navigate(paths.signIn, { replace: true, state: location.state });
    redeem(value);
  });
  useEffect(() => {
    if (code !== null) take(code);
  }, [code]);
  return code !== null;
}

function validate(values: { token: string; workspace: string }): { token?: string; workspace?: string } {
  const [token, workspace] = [values.token.trim(), values.workspace.trim()];
  // Our own workspace IDs are UUIDs; those of another service need not be.
  const workspaceError = findPathSegmentError(workspace);
  return {
    ...(token === '' && { token: 'Paste the access token of your workspace.' }),
    ...(/[^\u0021-\u007e]/.test(token) && { token: 'A token has no spaces or special characters inside.' }),
    ...(workspace !== '' && workspaceError !== null && { workspace: `A workspace ID ${workspaceError}.` }),
  };
}
