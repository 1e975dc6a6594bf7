/** What the running server knows of connections; null in tests that call the app without one. */
interface AddressBook {
  requestIP(request: Request): { readonly address: string } | null
}

/** The address a request comes from: the last hop that a trusted proxy saw, else the connection's own. */
export function clientAddress(
  request: Request,
  { trustProxy, server }: { trustProxy: boolean; server: AddressBook | null },
): string {
  const lastHop = trustProxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return lastHop ? lastHop : (server?.requestIP(request)?.address ?? 'unknown')
}
