// Whether the user is just about to press something in a place: the pointer moved there within the last seconds. A pointer
// that merely rests holds nothing.

import { useEffect, useRef, useState } from 'react';

const restsAfterMs = 2500;

export function usePointing() {
  const [isPointing, setIsPointing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const end = () => {
    clearTimeout(timer.current);
    setIsPointing(false);
  };
  return {
    isPointing,
    props: {
      onPointerMove: () => {
        clearTimeout(timer.current);
        timer.current = setTimeout(end, restsAfterMs);
        setIsPointing(true);
      },
      onPointerLeave: end,
    },
  };
}
