"""Campaigns against the page: what must never be lost, and what must never fall over."""
