/** Work of unknown length inside of a button or a line; whole views use skeletons. */
export function Spinner({ label }: { readonly label?: string }) {
  return label === undefined ? (
    <span class="spinner" aria-hidden="true" />
  ) : (
    <span class="spinner" role="status" aria-label={label} />
  )
}

interface SkeletonProps {
  readonly width?: string
  readonly height: string
}

/** The place of something that is on its way, as large as it will be. */
export function Skeleton({ width = '100%', height }: SkeletonProps) {
  return <span class="skeleton" style={{ width, height }} aria-hidden="true" />
}

/** Lines of a list that are on their way. */
export function SkeletonLines({ count, height }: { readonly count: number; readonly height: string }) {
  return (
    <div class="skeleton-lines">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </div>
  )
}
