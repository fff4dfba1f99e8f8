import classes from './Notifications.module.css';

/** How a receiver verifies a message. */
export function VerifySignature() {
  return (
    <details className={classes.help}>
      <summary>Verify a message in your receiver</summary>
      <p>
        Messages follow Standard Webhooks 1.0.0; standardwebhooks.com has libraries for most languages. Give them the
        secret, the headers and the unchanged body. By hand:
      </p>
      <ol>
        <li>
          Join <code>webhook-id</code>, <code>webhook-timestamp</code> and the unchanged body with dots.
        </li>
        <li>
          Compute the HMAC-SHA256 of that with the secret: what follows <code>whsec_</code> is the key in Base64.
        </li>
        <li>
          Accept the message if one of the space-separated values in <code>webhook-signature</code> is <code>v1,</code>{' '}
          and your result in Base64. Compare in constant time.
        </li>
        <li>
          Refuse it if <code>webhook-timestamp</code>, in seconds, is more than five minutes from your clock.
        </li>
      </ol>
      <p>
        Respond with 2xx within 15 seconds. A message can arrive twice, with the same <code>webhook-id</code>. Other
        responses are retried for a day; 410 switches the destination off.
      </p>
    </details>
  );
}
