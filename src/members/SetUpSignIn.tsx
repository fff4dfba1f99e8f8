import { useSession } from '../session/useSession.ts';
import { workspaceUrl } from '../session/workspaces.ts';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import classes from './Team.module.css';

/** Single sign-on in five settings, as in docs/operations.md. */
export function SetUpSignIn() {
  const { workspace_uuid } = useSession();
  const url = workspaceUrl(null);
  const settings = [
    `PUBLIC_URL=${url}`,
    'OIDC_ISSUER=https://accounts.example.com',
    'OIDC_CLIENT_ID=sendroom',
    'OIDC_CLIENT_SECRET_FILE=/run/secrets/oidc_client_secret',
    `OIDC_ROLES=support-team@${workspace_uuid}=support,admins@${workspace_uuid}=admin`,
  ].join('\n');
  return (
    <Notice
      tone="neutral"
      title="People can’t sign in yet"
      actions={<CopyButton value={settings} what="settings" label="Copy settings" />}
    >
      <p>
        Register Sendroom at your account provider, with the redirect address <code>{url}session/account/callback</code>
        . Then start the service with your values of these settings. You can already invite people.
      </p>
      <pre className={classes.settings}>{settings}</pre>
    </Notice>
  );
}
