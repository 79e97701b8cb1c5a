/** A code in words. The code itself stays beside them, because people search for it; it stands alone if it has no words. */
export const Coded = ({ name, code }: { name: string | undefined; code: string }) => (
  <>
    {name} <code className="beside">{code}</code>
  </>
)
