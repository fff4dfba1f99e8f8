const IDENTITIES = ['email', 'phone'];
const ADDRESS = /^(?:"[^"]+"|[^\s@,;]+)@[^\s@,;.]+(?:\.[^\s@,;.]+)+$/;

/** A probable slip. The value can still be saved. */
export function hintAt(key: string, text: string, identityField: string | null | undefined): string | null {
  const identities = identityField ? [...IDENTITIES, identityField] : IDENTITIES;
  const name = key.trim();
  if (identities.includes(name)) return name === 'email' ? hintAtAddress(text) : null;
  const meant = identities.find((identity) => identity.toLowerCase() === name.toLowerCase());
  return meant === undefined ? null : `Contacts are found only by ${meant}. ${name} is a different attribute.`;
}

function hintAtAddress(text: string): string | null {
  const address = text.trim();
  if (address === '' || ADDRESS.test(address)) return null;
  if (/[,;]/.test(address)) return 'Is this one email address? It contains a comma or semicolon.';
  return 'This doesn’t look like an email address, such as jane@example.com.';
}
