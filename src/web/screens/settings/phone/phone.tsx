import { useResource } from '../../../state.ts'
import { Notice, Pending } from '../../../ui/empty.tsx'
import { KEYS } from '../keys-path.ts'
import { AddressWay } from './address-way.tsx'
import { ShareWay } from './share-way.tsx'
import { ADDRESS_WAYS } from './ways.tsx'

const ONLY_HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Ways for a phone to send runs automatically, one card each. */
export function Phone() {
  const { data, error } = useResource(KEYS)
  if (data === null) return <Pending error={error} count={5} height="57px" />
  const [iPhone, ...others] = ADDRESS_WAYS
  return (
    <>
      {ONLY_HERE.test(location.hostname) && (
        <Notice>
          You opened Harrier as {location.host}, which a phone can’t reach. Open it by this machine’s name or address in
          your network, and create the addresses there.
        </Notice>
      )}
      {iPhone !== undefined && <AddressWay way={iPhone} keys={data} />}
      <ShareWay />
      {others.map((way) => (
        <AddressWay key={way.label} way={way} keys={data} />
      ))}
    </>
  )
}
