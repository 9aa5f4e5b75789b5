import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { useProduct } from '../texts/use-product.ts';

/** Nobody has been on a page before the first one, so it begins where the browser begins: at the top, before the menu. */
let isFirst = true;

/**
 * For the heading of a page: names the browser's tab, and takes the focus when the page takes the place of another one. Thereby a
 * screen reader says where one is, and the keyboard goes on from there (WCAG 2.4.3). The heading needs `tabIndex={-1}`.
 */
export function usePageHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const product = useProduct();
  const heading = useRef<HTMLHeadingElement>(null);
  const isBack = useNavigationType() === NavigationType.Pop;
  const cameBack = useRef(isBack);
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  useEffect(() => {
    if (!isFirst) {
      // In its history the browser finds the place on the page by itself.
      if (!cameBack.current) window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, []);
  return heading;
}
