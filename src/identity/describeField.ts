/** The custom identity in words: `customer_id` is a customer ID. */
export function describeField(identityField: string | undefined): string {
  if (identityField === undefined) return 'another ID';
  // A name in any other form may be what somebody reads in their own system.
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(identityField)) return identityField;
  return identityField.replaceAll('_', ' ').replaceAll(/\bid\b/g, 'ID');
}
