/** `customer_id` is a customer ID. */
export function describeField(identityField: string | undefined): string {
  if (identityField === undefined) return 'another ID';
  // Any other form may be known from another system.
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(identityField)) return identityField;
  return identityField.replaceAll('_', ' ').replaceAll(/\bid\b/g, 'ID');
}
