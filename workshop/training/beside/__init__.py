"""Rendered boards beside genuine ones, at the same pose and under the same light."""
