/** Looks up the address of a connection; null in tests that call the app without a server. */
interface AddressBook {
  requestIP(request: Request): { readonly address: string } | null
}

/** The client's address: the last hop that a trusted proxy reports, else that of the connection. */
export function clientAddress(
  request: Request,
  { trustProxy, server }: { trustProxy: boolean; server: AddressBook | null },
): string {
  const lastHop = trustProxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return lastHop ? lastHop : (server?.requestIP(request)?.address ?? 'unknown')
}
