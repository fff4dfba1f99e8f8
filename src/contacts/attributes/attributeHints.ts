/** By these every contact is found; the workspace may have one more. */
const IDENTITIES = ['email', 'phone'];
const ADDRESS = /^(?:"[^"]+"|[^\s@,;]+)@[^\s@,;.]+(?:\.[^\s@,;.]+)+$/;

/** What is probably a slip in an attribute, in a sentence; null where nothing is. It is a hint: the value can be saved. */
export function hintAt(key: string, text: string, identityField: string | null | undefined): string | null {
  const identities = identityField ? [...IDENTITIES, identityField] : IDENTITIES;
  const name = key.trim();
  if (identities.includes(name)) return name === 'email' ? hintAtAddress(text) : null;
  const meant = identities.find((identity) => identity.toLowerCase() === name.toLowerCase());
  return meant === undefined ? null : `Only ${meant} finds the contact. ${name} is another attribute.`;
}

function hintAtAddress(text: string): string | null {
  const address = text.trim();
  if (address === '' || ADDRESS.test(address)) return null;
  if (/[,;]/.test(address)) return 'Is this one email address? It has a comma or semicolon in it.';
  return 'This does not look like an email address, such as jane@example.com.';
}
