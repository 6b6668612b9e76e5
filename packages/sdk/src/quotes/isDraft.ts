/** Return true for a draft, which has no signature and opens nothing. */
export function isDraft(quote: { readonly contract_signature: string }): boolean {
  return quote.contract_signature === '';
}
